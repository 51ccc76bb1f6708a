import { places } from '../../messages/en/places.ts';
import { loadMessages } from '../../messages/t.ts';

// These fields stand in several features; their words come with them.
await loadMessages({ places });
