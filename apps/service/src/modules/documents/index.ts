export { type NamedFile, acceptFile, acceptFiles, turnsOf } from './accept-files.ts';
export { registerDocuments } from './routes.ts';
export { type FilePorts, downloadName, fileNameOf, readStoredFile, storeFile } from './store.ts';
