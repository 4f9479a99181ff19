export { createDesk, type Desk, type DeskParts } from './desk.ts';
export { createServer } from './server.ts';
