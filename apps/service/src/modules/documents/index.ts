export { type Accept, type AcceptedFile, type FileDecision, acceptFile } from './accept-file.ts';
export { type NamedFile, acceptFiles } from './accept-files.ts';
export { countUpload } from './count-upload.ts';
export { downloadName } from './file-names.ts';
export { registerDocuments } from './routes.ts';
export { fileNameOf } from './sealed-file.ts';
export {
  type FilePorts,
  type FilePurpose,
  type FileToStore,
  type StoredFile,
  readStoredFile,
  storeFile,
} from './stored-files.store.ts';
export { turnsOf } from './take-turns.ts';
