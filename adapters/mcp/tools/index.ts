/** The tools, in the order in which a client lists them: one line each. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Desk } from '../desk.ts';
import { register } from '../tool.ts';
import { acknowledgeMessages } from './acknowledge-messages.ts';
import { cancelTask } from './cancel-task.ts';
import { discover } from './discover.ts';
import { listTasks } from './list-tasks.ts';
import { off } from './off.ts';
import { receiveMessages } from './receive-messages.ts';
import { sendMessage } from './send-message.ts';
import { snooze } from './snooze.ts';

export function registerTools(server: McpServer, desk: Desk): void {
  register(server, sendMessage, desk);
  register(server, cancelTask, desk);
  register(server, receiveMessages, desk);
  register(server, acknowledgeMessages, desk);
  register(server, discover, desk);
  register(server, listTasks, desk);
  register(server, snooze, desk);
  register(server, off, desk);
}
