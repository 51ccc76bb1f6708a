export { type NamedFile, acceptFile, acceptFiles, turnsOf } from './accept-files.ts';
export { type FilePorts, downloadName, fileNameOf, readStoredFile, storeFile } from './store.ts';
