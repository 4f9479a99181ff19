import { createMachine } from 'xstate';

export const machine = createMachine({
  id: 'question',
  version: '1',
  description: 'A peer that works for us asked something and waits: brought up once in a run, when the agent stops.',
  initial: 'clear',
  on: {
    'prompt.submitted': {
      description: 'Somebody addressed the agent: a new run begins.',
      guard: 'isNewRun',
      actions: 'beginRun',
    },
    'session.started': {
      description: 'The conversation begins, or is taken up again.',
      guard: 'isFreshStart',
      actions: 'beginRun',
    },
    'clock.ticked': {
      description: 'The clock was set back.',
      guard: 'isAhead',
      actions: 'pullBack',
    },
  },
  states: {
    clear: {
      description: 'Nobody waits for our answer.',
      on: {
        'task.reported': {
          description: 'A peer asks.',
          guard: 'isQuestion',
          target: 'open',
          actions: 'addQuestion',
        },
      },
    },
    open: {
      description: 'A peer waits for our answer. The end of a turn is where that counts.',
      on: {
        'task.reported': [
          { description: 'A peer asks.', guard: 'isQuestion', actions: 'addQuestion' },
          {
            description: 'The last that waited went on without an answer.',
            guard: 'isLastAnswered',
            target: 'clear',
            actions: 'dropQuestion',
          },
          {
            description: 'A peer went on without an answer.',
            guard: 'isAnswered',
            actions: 'dropQuestion',
          },
        ],
        'task.delegated': [
          {
            description: 'We answer the last.',
            guard: 'isLastAnswered',
            target: 'clear',
            actions: 'dropQuestion',
          },
          { description: 'We answer.', guard: 'isAnswered', actions: 'dropQuestion' },
        ],
        'task.closed': [
          {
            description: 'We cancel the last task that waited.',
            guard: 'isLastAnswered',
            target: 'clear',
            actions: 'dropQuestion',
          },
          {
            description: 'We cancel a task that waited.',
            guard: 'isAnswered',
            actions: 'dropQuestion',
          },
        ],
        'prompt.submitted': {
          description: 'The host woke the agent.',
          guard: 'isWakeUp',
          actions: 'noteWakeUp',
        },
        'turn.ended': [
          {
            description: 'The agent is about to stop, and has known of the question for a while.',
            guard: 'isStop',
            target: 'raised',
            actions: ['endTurn', 'nudge'],
          },
          {
            description: 'The turn that the host began is over.',
            guard: 'isWoken',
            actions: 'endTurn',
          },
        ],
      },
    },
    raised: {
      description: 'It was brought up in this run. If the agent stops again, that stop stands.',
      on: {
        'task.reported': [
          { description: 'A peer asks.', guard: 'isQuestion', actions: 'addQuestion' },
          {
            description: 'A peer went on without an answer.',
            guard: 'isAnswered',
            actions: 'dropQuestion',
          },
        ],
        'task.delegated': {
          description: 'We answer.',
          guard: 'isAnswered',
          actions: 'dropQuestion',
        },
        'task.closed': {
          description: 'We cancel a task that waited.',
          guard: 'isAnswered',
          actions: 'dropQuestion',
        },
        'prompt.submitted': {
          description: 'Somebody addressed the agent: a new run begins.',
          guard: 'isNewRun',
          target: 'open',
          actions: 'beginRun',
        },
        'session.started': {
          description: 'The conversation begins, or is taken up again.',
          guard: 'isFreshStart',
          target: 'open',
          actions: 'beginRun',
        },
      },
    },
  },
});
