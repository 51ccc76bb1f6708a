import { createHash } from 'node:crypto';

/** A hash of the content, 43 characters: another content has another version. */
export const versionOfContent = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url');
