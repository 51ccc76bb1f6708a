export { registerDocuments } from './routes.ts';
