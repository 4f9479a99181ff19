export { createMarkers } from './markers.ts';
