import { createMachine } from 'xstate';

export const machine = createMachine({
  id: 'stalled',
  version: '1',
  description: 'Work that we asked a peer for, and of which nothing was heard for long: told once, and again after news.',
  initial: 'idle',
  on: {
    'clock.ticked': {
      description: 'The clock was set back.',
      guard: 'isAhead',
      actions: 'pullBack',
    },
  },
  states: {
    idle: {
      description: 'Nothing asked yet.',
      on: {
        'task.delegated': {
          description: 'We ask a peer for work.',
          target: 'running',
          actions: 'adoptTask',
        },
      },
    },
    running: {
      description: 'The peer is at it, as far as we know.',
      on: {
        'task.reported': [
          {
            description: 'The peer is done with it.',
            guard: 'isEnd',
            target: 'closed',
            actions: 'noteClosing',
          },
          {
            description: 'The peer asks us something: our turn.',
            guard: 'isQuestion',
            target: 'asked',
            actions: 'noteWord',
          },
          { description: 'The peer tells of its progress.', guard: 'isMine', actions: 'noteWord' },
        ],
        'task.delegated': {
          description: 'We write about it ourselves.',
          guard: 'isMine',
          actions: 'noteWord',
        },
        'task.closed': {
          description: 'We cancel it.',
          guard: 'isMyCancel',
          target: 'closed',
          actions: 'noteClosing',
        },
        'tool.finished': {
          description: 'The agent is at work, and has heard nothing of it for longer than the limit.',
          guard: 'isDue',
          target: 'told',
          actions: 'nudge',
        },
      },
    },
    asked: {
      description: 'The peer waits for our answer: silence is ours.',
      on: {
        'task.delegated': {
          description: 'We answer.',
          guard: 'isMine',
          target: 'running',
          actions: 'noteWord',
        },
        'task.reported': [
          {
            description: 'The peer is done with it.',
            guard: 'isEnd',
            target: 'closed',
            actions: 'noteClosing',
          },
          { description: 'The peer asks again.', guard: 'isQuestion', actions: 'noteWord' },
          {
            description: 'The peer goes on without it.',
            guard: 'isMine',
            target: 'running',
            actions: 'noteWord',
          },
        ],
        'task.closed': {
          description: 'We cancel it.',
          guard: 'isMyCancel',
          target: 'closed',
          actions: 'noteClosing',
        },
      },
    },
    told: {
      description: 'The agent knows that nothing is heard of it.',
      on: {
        'task.reported': [
          {
            description: 'The peer is done with it.',
            guard: 'isEnd',
            target: 'closed',
            actions: 'noteClosing',
          },
          {
            description: 'The peer asks us something: our turn.',
            guard: 'isQuestion',
            target: 'asked',
            actions: 'noteWord',
          },
          {
            description: 'News at last.',
            guard: 'isMine',
            target: 'running',
            actions: 'noteWord',
          },
        ],
        'task.delegated': {
          description: 'We ask after it: that counts from now on.',
          guard: 'isMine',
          target: 'running',
          actions: 'noteWord',
        },
        'task.closed': {
          description: 'We cancel it.',
          guard: 'isMyCancel',
          target: 'closed',
          actions: 'noteClosing',
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
          target: 'running',
          actions: 'adoptTask',
        },
      },
    },
  },
});
