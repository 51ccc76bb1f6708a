// npm run gen:openapi: writes docs/openapi.json from the contract.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../src/openapi.ts';

const file = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url));
writeFileSync(file, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
console.log(`Wrote ${file}`);
