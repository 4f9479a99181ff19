import { createMachine } from 'xstate';

export const machine = createMachine({
  id: 'delegation',
  version: '1',
  description: 'A task that this session gave a peer: remembers whose turn it is. Nudges nothing.',
  initial: 'idle',
  states: {
    idle: {
      description: 'Nothing asked yet.',
      on: {
        'task.delegated': {
          description: 'We ask a peer for work.',
          target: 'open',
          actions: 'adoptTask',
        },
      },
    },
    open: {
      description: 'The peer has the task.',
      tags: ['open', 'active'],
      on: {
        'task.reported': [
          {
            description: 'The peer asks us something.',
            guard: 'isQuestion',
            target: 'asked',
            actions: 'noteWord',
          },
          {
            description: 'The peer is done with it.',
            guard: 'isEnd',
            target: 'closed',
            actions: ['noteWord', 'noteClosing'],
          },
          { description: 'The peer tells of its progress.', guard: 'isMine', actions: 'noteWord' },
        ],
        'task.closed': {
          description: 'We cancel it.',
          guard: 'isMyCancel',
          target: 'closed',
          actions: 'noteClosing',
        },
        'clock.ticked': {
          description: 'The clock was set back.',
          guard: 'isAhead',
          actions: 'pullBack',
        },
      },
    },
    asked: {
      description: 'The peer waits for our answer.',
      tags: ['open'],
      on: {
        'task.delegated': { description: 'We answer.', guard: 'isMine', target: 'open' },
        'task.reported': [
          { description: 'The peer asks again.', guard: 'isQuestion', actions: 'noteWord' },
          {
            description: 'The peer is done with it.',
            guard: 'isEnd',
            target: 'closed',
            actions: ['noteWord', 'noteClosing'],
          },
          {
            description: 'The peer went on without the answer.',
            guard: 'isMine',
            target: 'open',
            actions: 'noteWord',
          },
        ],
        'task.closed': {
          description: 'We cancel it.',
          guard: 'isMyCancel',
          target: 'closed',
          actions: 'noteClosing',
        },
        'clock.ticked': {
          description: 'The clock was set back.',
          guard: 'isAhead',
          actions: 'pullBack',
        },
      },
    },
    closed: {
      description: 'The task is over.',
      tags: ['over'],
      on: {
        'task.delegated': {
          description: 'We ask for it anew.',
          guard: 'isMine',
          target: 'open',
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
