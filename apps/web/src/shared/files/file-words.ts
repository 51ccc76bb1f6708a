import { files } from '../../messages/en/files.ts';
import { loadMessages } from '../../messages/t.ts';

// The picker stands in several features; its words come with it.
await loadMessages({ files });
