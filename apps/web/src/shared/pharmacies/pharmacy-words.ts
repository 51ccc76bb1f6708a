import { pharmacies } from '../../messages/en/pharmacies.ts';
import { loadMessages } from '../../messages/t.ts';

// Several features use the picker, so it loads its own words.
await loadMessages({ pharmacies });
