import { expect, it } from 'vitest';
import { detectHost } from '../../adapters/harness/detect.ts';
import { postToolUse, sessionStart } from '../support/payloads.ts';

it.each([
  ['claude-code', postToolUse()],
  ['claude-code', sessionStart()],
  ['claude-code', { ...sessionStart(), model: 'claude-opus-5-5' }],
  ['codex', { ...postToolUse(), turn_id: 't', model: 'gpt' }],
  ['codex', { ...sessionStart(), model: 'gpt', permission_mode: 'default' }],
  ['cursor', { hook_event_name: 'postToolUse', conversation_id: 'c', cursor_version: '1.0' }],
  ['gemini', { hook_event_name: 'AfterTool', session_id: 's', transcript_path: '/t', timestamp: '2026' }],
  ['gemini', { ...sessionStart(), timestamp: '2026-11-30T00:00:00Z' }],
  ['copilot', { sessionId: 's', toolName: 'bash', timestamp: 1 }],
  ['copilot', { hook_event_name: 'PostToolUse', session_id: 's', timestamp: '2026' }],
  [null, { conversation_id: 'c-1' }],
  [null, { sessionID: 'ses_1' }],
  [null, {}],
  [null, []],
  [null, 'text'],
  [null, null],
])('a payload of %s is told by its keys: %j', (host, payload) => {
  expect(detectHost(payload)).toBe(host);
});
