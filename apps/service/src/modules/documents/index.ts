export { type NamedFile, acceptFile, acceptFiles, turnsOf } from './accept-files.ts';
export {
  type ClinicDocument,
  type DocumentSearch,
  LAST_FILE,
  type RefusedDocument,
  STORED_FILES,
  decideFile,
  documentsForClinic,
  downloadName,
  eraseFiles,
  fileNameOf,
  findDocument,
  hasStanding,
  ownFiles,
  readStoredFile,
  refusedDocuments,
  storeFile,
} from './store.ts';
