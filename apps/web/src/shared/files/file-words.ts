import { files } from '../../messages/en/files.ts';
import { loadMessages } from '../../messages/t.ts';

// Several features use the picker, so it loads its own words.
await loadMessages({ files });
