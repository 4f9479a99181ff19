export { createClosedDesk, createDesk, type Desk } from './desk.ts';
export { createServer } from './server.ts';
