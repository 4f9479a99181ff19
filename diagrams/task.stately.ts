import { createMachine } from 'xstate';

export const machine = createMachine({
  id: 'task',
  version: '1',
  description: 'A task that a peer gave this session: reminds the model to report when it has worked in silence for too long.',
  initial: 'idle',
  states: {
    idle: {
      description: 'No task yet.',
      on: {
        'task.opened': {
          description: 'A peer asks for work: the clock starts at its request.',
          target: 'executing',
          actions: 'adoptTask',
        },
      },
    },
    executing: {
      description: 'The task is being worked on, and the peer has heard of it lately or has not waited too long.',
      tags: ['open', 'active'],
      on: {
        'task.opened': [
          {
            description: 'The peer asks again: the clock starts anew.',
            guard: 'isMine',
            actions: 'adoptTask',
          },
          {
            description: 'Another task was opened: that restarts the clock of the session.',
            actions: 'noteActivity',
          },
        ],
        'task.answered': {
          description: 'An answer came: that restarts the clock of the session.',
          actions: 'noteActivity',
        },
        'task.updated': {
          description: 'Progress was reported, on this task or another.',
          actions: 'noteActivity',
        },
        'task.blocked': {
          description: 'We asked the peer a question.',
          guard: 'isMine',
          target: 'blocked',
        },
        'task.reminded': {
          description: 'Another hook has reminded, or another task was.',
          actions: 'noteReminder',
        },
        'task.closed': [
          {
            description: 'The task is over.',
            guard: 'isMine',
            target: 'cleared',
            actions: 'noteClosing',
          },
          {
            description: 'Another task was reported finished.',
            guard: 'isOutgoingEnd',
            actions: 'noteActivity',
          },
        ],
        'tool.finished': [
          {
            description: 'Work goes on in silence for longer than the interval: say so, once.',
            guard: 'isDue',
            target: 'nudged',
            actions: ['noteReminder', 'countReminder', 'nudge'],
          },
          {
            description: 'It is time, but the task has had all its reminders.',
            guard: 'isPaused',
            actions: 'notePause',
          },
        ],
        'clock.ticked': {
          description: 'The clock was set back.',
          guard: 'isAhead',
          actions: 'pullBack',
        },
      },
    },
    blocked: {
      description: 'The peer owes us an answer: no reminders.',
      tags: ['open'],
      on: {
        'task.opened': [
          {
            description: 'The peer wrote about the task again.',
            guard: 'isMine',
            target: 'executing',
            actions: 'adoptTask',
          },
          {
            description: 'Another task was opened: that restarts the clock of the session.',
            actions: 'noteActivity',
          },
        ],
        'task.answered': [
          {
            description: 'The answer came: work goes on.',
            guard: 'isMine',
            target: 'executing',
            actions: 'noteActivity',
          },
          { description: 'Another question was answered.', actions: 'noteActivity' },
        ],
        'task.updated': [
          {
            description: 'We went on without the answer.',
            guard: 'isMine',
            target: 'executing',
            actions: 'noteActivity',
          },
          { description: 'Progress was reported on another task.', actions: 'noteActivity' },
        ],
        'task.reminded': {
          description: 'Another hook has reminded, or another task was.',
          actions: 'noteReminder',
        },
        'task.closed': [
          {
            description: 'The task is over.',
            guard: 'isMine',
            target: 'cleared',
            actions: 'noteClosing',
          },
          {
            description: 'Another task was reported finished.',
            guard: 'isOutgoingEnd',
            actions: 'noteActivity',
          },
        ],
        'clock.ticked': {
          description: 'The clock was set back.',
          guard: 'isAhead',
          actions: 'pullBack',
        },
      },
    },
    nudged: {
      description: 'The model was reminded and the peer has not heard since.',
      tags: ['open', 'active'],
      on: {
        'task.opened': [
          {
            description: 'The peer asks again: the clock starts anew.',
            guard: 'isMine',
            target: 'executing',
            actions: 'adoptTask',
          },
          {
            description: 'Another task was opened: that restarts the clock of the session.',
            target: 'executing',
            actions: 'noteActivity',
          },
        ],
        'task.answered': {
          description: 'An answer came: that restarts the clock of the session.',
          target: 'executing',
          actions: 'noteActivity',
        },
        'task.updated': {
          description: 'Progress was reported, on this task or another.',
          target: 'executing',
          actions: 'noteActivity',
        },
        'task.blocked': {
          description: 'We asked the peer a question.',
          guard: 'isMine',
          target: 'blocked',
        },
        'task.reminded': {
          description: 'Another hook has reminded, or another task was.',
          actions: 'noteReminder',
        },
        'task.closed': [
          {
            description: 'The task is over.',
            guard: 'isMine',
            target: 'cleared',
            actions: 'noteClosing',
          },
          {
            description: 'Another task was reported finished.',
            guard: 'isOutgoingEnd',
            target: 'executing',
            actions: 'noteActivity',
          },
        ],
        'tool.finished': [
          {
            description: 'Another interval went by in silence: say so again.',
            guard: 'isDue',
            actions: ['noteReminder', 'countReminder', 'nudge'],
          },
          {
            description: 'It is time again, but reminders bring nothing, or the task has had all its own: a pause.',
            guard: 'isPaused',
            actions: 'notePause',
          },
        ],
        'clock.ticked': {
          description: 'The clock was set back.',
          guard: 'isAhead',
          actions: 'pullBack',
        },
      },
    },
    cleared: {
      description: 'The task is over. Kept for a while, so that a late word about it is recognised.',
      tags: ['over'],
      on: {
        'task.opened': {
          description: 'A new request under the same id: the task is opened anew.',
          guard: 'isMine',
          target: 'executing',
          actions: 'adoptTask',
        },
        'clock.ticked': {
          description: 'The clock was set back.',
          guard: 'isAhead',
          actions: 'pullBack',
        },
      },
    },
  },
});
