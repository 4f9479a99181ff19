export { createFileStore, type FileStoreParts } from './file-store.ts';
export { type FileInfo, type Files, nodeFiles } from './files.ts';
export { createMemoryStore } from './memory-store.ts';
export { markerRoot, stateRoot } from './root.ts';
export { createFileTrace } from './trace.ts';
