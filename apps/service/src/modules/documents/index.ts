export { type NamedFile, acceptFile, acceptFiles, turnsOf } from './accept-files.ts';
export {
  type FilePorts,
  STORED_FILES,
  downloadName,
  fileNameOf,
  readStoredFile,
  storeFile,
} from './store.ts';
