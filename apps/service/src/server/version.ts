import { createHash } from 'node:crypto';

/** Names what something says: 43 characters, others for another content. */
export const versionOfContent = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url');
