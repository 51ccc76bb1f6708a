export { type NamedFile, acceptFile, acceptFiles, turnsOf } from './accept-files.ts';
export {
  type ClinicDocument,
  DOCUMENTS,
  LAST_FILE,
  STORED_FILES,
  decideFile,
  documentsOfPatient,
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
