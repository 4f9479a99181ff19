import * as z from 'zod/mini';
import { quote } from '../../../src/core/quote.ts';
import { defineTool } from '../tool.ts';

export const listTasks = defineTool({
  name: 'list_tasks',
  title: 'List tasks',
  description:
    'Lists the tasks that you execute for others and those that you have given others, with what is known of them.',
  input: z.object({}),
  output: z.object({
    tasks: z.array(
      z.object({
        role: z.enum(['executing', 'delegated']),
        task_id: z.string(),
        peer: z.string(),
        name: z.nullable(z.string()),
        state: z.string(),
        open: z.boolean(),
        opened_at: z.number(),
        session: z.string(),
      }),
    ),
  }),
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  async handle(_args, desk) {
    const called = new Map(desk.peers().flatMap(({ sessions, name }) => sessions.map((id) => [id, name] as const)));
    const all = await desk.tasks();
    const tasks = all.map(({ policy, task, peer, name, state, open, openedAt, session }) => ({
      role: policy === 'delegation' ? ('delegated' as const) : ('executing' as const),
      task_id: task,
      peer,
      name: name ?? called.get(peer) ?? null,
      state,
      open,
      opened_at: openedAt,
      session,
    }));
    const lines = tasks.map(({ role, task_id, peer, name, state }) => {
      const whose = role === 'executing' ? 'for' : 'given to';
      return `${quote(task_id).text} ${whose} ${quote(name ?? peer).text}: ${state}`;
    });
    return { text: lines.length === 0 ? 'No tasks.' : lines.join('\n'), structured: { tasks } };
  },
});
