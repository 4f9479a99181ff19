import { createMachine } from 'xstate';

export const machine = createMachine({
  id: 'close',
  version: '1',
  description: 'A worker that stops with open tasks of its own: tells it once in a run to close them or to say why not.',
  initial: 'idle',
  on: {
    'prompt.submitted': {
      description: 'Somebody addressed the agent: a new run begins.',
      guard: 'isNewRun',
      target: '.idle',
      actions: 'beginRun',
    },
    'session.started': {
      description: 'The conversation begins, or is taken up again.',
      guard: 'isFreshStart',
      target: '.idle',
      actions: 'beginRun',
    },
  },
  states: {
    idle: {
      description: 'The agent is at work, or has not stopped for good in this run.',
      on: {
        'prompt.submitted': {
          description: 'The host woke the agent.',
          guard: 'isWakeUp',
          actions: 'noteWakeUp',
        },
        'turn.ended': [
          {
            description: 'The person interrupted, or the turn failed: it shall stop.',
            guard: 'isUnfinished',
            target: 'spent',
            actions: 'endTurn',
          },
          {
            description: 'The agent stops, and nothing of it runs on: does it own open work?',
            guard: 'isStop',
            target: 'asking',
            actions: ['endTurn', 'expectAnswers', 'askWork'],
          },
          {
            description: 'The turn that the host began is over.',
            guard: 'isWoken',
            actions: 'endTurn',
          },
        ],
      },
    },
    asking: {
      description: 'The sources were asked; not all have answered. Another completed end changes nothing.',
      on: {
        'work.counted': [
          {
            description: 'All have answered, and some work is open: say so, and let the turn go on.',
            guard: 'isLastOfWork',
            target: 'told',
            actions: ['noteAnswer', 'nudge', 'forgetWork'],
          },
          {
            description: 'All have answered: nothing is open.',
            guard: 'isLast',
            target: 'spent',
            actions: 'forgetWork',
          },
          {
            description: 'One has answered, others have not.',
            guard: 'isAsked',
            actions: 'noteAnswer',
          },
        ],
        'work.unknown': [
          {
            description: 'The last one can’t tell, and others know of open work: say so.',
            guard: 'isLastOfWork',
            target: 'told',
            actions: ['noteAnswer', 'nudge', 'forgetWork'],
          },
          {
            description: 'The last one can’t tell, and no other knows of open work: silence for this run.',
            guard: 'isLast',
            target: 'spent',
            actions: 'forgetWork',
          },
          {
            description: 'One can’t tell, others have not answered.',
            guard: 'isAsked',
            actions: 'noteAnswer',
          },
        ],
        'turn.ended': {
          description: 'The person interrupted meanwhile, or the turn failed: it shall stop.',
          guard: 'isUnfinished',
          target: 'spent',
          actions: 'forgetWork',
        },
      },
    },
    told: { description: 'The worker was told. If it stops again, that stop stands.' },
    spent: { description: 'This run is judged: nothing more is asked or said.' },
  },
});
