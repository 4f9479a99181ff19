import { createMachine } from 'xstate';

export const machine = createMachine({
  id: 'settle',
  version: '1',
  description: 'An orchestrator that stops while its workers run: says the rule once in a run, with what is in progress and how to wait.',
  initial: 'unarmed',
  on: {
    'prompt.submitted': {
      description: 'Somebody addressed the agent: a new run begins.',
      guard: 'isNewRun',
      target: '.unarmed',
      actions: 'beginRun',
    },
    'session.started': {
      description: 'The conversation begins, or is taken up again.',
      guard: 'isFreshStart',
      target: '.unarmed',
      actions: 'beginRun',
    },
  },
  states: {
    unarmed: {
      description: 'Nothing was handed out in this run.',
      on: {
        'work.dispatched': {
          description: 'Work was handed out.',
          guard: 'isDispatch',
          target: 'armed',
          actions: 'addScopes',
        },
        'prompt.submitted': {
          description: 'The host woke the agent.',
          guard: 'isWakeUp',
          actions: 'noteWakeUp',
        },
        'turn.ended': {
          description: 'The turn that the host began is over.',
          guard: 'isWoken',
          actions: 'endTurn',
        },
      },
    },
    armed: {
      description: 'Work was handed out in this run: its end is where the rule counts.',
      on: {
        'work.dispatched': { description: 'More work was handed out.', actions: 'addScopes' },
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
            actions: 'forgetWork',
          },
          {
            description: 'A wait for this work runs in the background: the host will call back.',
            guard: 'isWaiting',
            actions: 'endTurn',
          },
          {
            description: 'Another hook keeps the turn going already.',
            guard: 'isOthersTurn',
            actions: 'endTurn',
          },
          {
            description: 'The agent is about to stop: is its work still in progress?',
            guard: 'isOn',
            target: 'asking',
            actions: ['endTurn', 'expectAnswers', 'askWork'],
          },
        ],
      },
    },
    asking: {
      description: 'The sources were asked; not all have answered. Another completed end changes nothing.',
      on: {
        'work.counted': [
          {
            description: 'All have answered, and some work is in progress: say so, and let the turn go on.',
            guard: 'isLastOfWork',
            target: 'fired',
            actions: ['noteAnswer', 'nudge', 'record', 'forgetWork'],
          },
          {
            description: 'All have answered: nothing is in progress.',
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
            description: 'The last one can’t tell, and others have work in progress: say so.',
            guard: 'isLastOfWork',
            target: 'fired',
            actions: ['noteAnswer', 'nudge', 'record', 'forgetWork'],
          },
          {
            description: 'The last one can’t tell, and no other has work in progress: silence for this run.',
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
    fired: { description: 'The rule was said. If the agent stops again, that stop stands.' },
    spent: { description: 'This run is judged: nothing more is asked or said.' },
  },
});
