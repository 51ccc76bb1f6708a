import type { Platform } from '../../platform.ts';

/** What the message use cases need. */
export type MessagePorts = Pick<
  Platform,
  'database' | 'keyring' | 'ids' | 'appendAudit' | 'outbox' | 'realtime'
>;

/** The contexts under which texts are sealed (S-13). */
export const entryContext = (entryId: string) => `message_entry.text:${entryId}`;
export const versionContext = (versionId: string) => `message_version.text:${versionId}`;
