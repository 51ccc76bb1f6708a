export { type NamedFile, acceptFile, acceptFiles, turnsOf } from './accept-files.ts';
export {
  LAST_FILE,
  STORED_FILES,
  downloadName,
  eraseFiles,
  fileNameOf,
  ownFiles,
  readStoredFile,
  storeFile,
} from './store.ts';
