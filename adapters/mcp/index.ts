export { createDesk } from './desk.ts';
export { createServer } from './server.ts';
