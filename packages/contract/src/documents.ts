import { z } from 'zod';
import { call } from './call.ts';
import { threeFiles } from './api-types.ts';

export const shouldUploadDocument = call('shouldUploadDocument', {
  summary: 'Which documents the patient has uploaded; a browser that gets no answer assumes both.',
  section: '§4 Next on confirm, §7, R-34',
  limit: 'reads',
  idempotency: 'natural',
  answer: z.object({
    success: z.literal(true),
    pictureIdUploaded: z.boolean(),
    healthcardUploaded: z.boolean(),
  }),
});

export const uploadDocuments = call('uploadDocuments', {
  summary: 'Upload the health card (`isHealthCard` true) or the picture ID, one to three files.',
  section: '§5 File picker, §7, R-80, S-4',
  limit: 'shared',
  idempotency: 'none',
  files: threeFiles,
  body: z.strictObject({ isHealthCard: z.enum(['true', 'false']) }),
  answer: z.object({ success: z.literal(true), message: z.string() }),
});
