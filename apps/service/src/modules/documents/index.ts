export { type NamedFile, acceptFile, acceptFiles, turnsOf } from './accept-files.ts';
export { STORED_FILES, downloadName, fileNameOf, readStoredFile, storeFile } from './store.ts';
