import { places } from '../../messages/en/places.ts';
import { loadMessages } from '../../messages/t.ts';

// Several features use these fields, so the fields load their own words.
await loadMessages({ places });
