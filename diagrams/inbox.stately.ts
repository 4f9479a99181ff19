import { createMachine } from 'xstate';

export const machine = createMachine({
  id: 'inbox',
  version: '1',
  description: 'Unread mail: announced once, when the model is next reached.',
  initial: 'empty',
  states: {
    empty: {
      description: 'No unread mail.',
      on: {
        'mail.arrived': {
          description: 'Mail came.',
          guard: 'isNews',
          target: 'waiting',
          actions: 'keepFresh',
        },
      },
    },
    waiting: {
      description: 'There is mail that the model has not heard of.',
      tags: ['waiting'],
      on: {
        'mail.arrived': { description: 'More mail came.', guard: 'isNews', actions: 'keepFresh' },
        'tool.finished': {
          description: 'The agent is at work: tell it.',
          guard: 'isMainTool',
          target: 'announced',
          actions: ['nudge', 'noteTold'],
        },
        'prompt.submitted': {
          description: 'A run begins or goes on: tell it.',
          target: 'announced',
          actions: ['nudge', 'noteTold'],
        },
        'turn.ended': {
          description: 'The agent is about to stop: tell it, and let it go on.',
          guard: 'isCompleted',
          target: 'announced',
          actions: ['nudge', 'noteTold'],
        },
        'mail.read': [
          {
            description: 'All mail was read.',
            guard: 'isLast',
            target: 'empty',
            actions: 'dropRead',
          },
          {
            description: 'All mail that was new has been read.',
            guard: 'isLastFresh',
            target: 'announced',
            actions: 'dropRead',
          },
          { description: 'Some mail was read.', actions: 'dropRead' },
        ],
      },
    },
    announced: {
      description: 'The model knows of all unread mail.',
      on: {
        'mail.arrived': {
          description: 'More mail came.',
          guard: 'isNews',
          target: 'waiting',
          actions: 'keepFresh',
        },
        'mail.read': [
          {
            description: 'All mail was read.',
            guard: 'isLast',
            target: 'empty',
            actions: 'dropRead',
          },
          { description: 'Some mail was read.', actions: 'dropRead' },
        ],
      },
    },
  },
});
