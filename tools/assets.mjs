// The built files of an app, whose names carry a hash of their content. Plain JavaScript with built-ins only.
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const DAY_MS = 86_400_000;

const isCompressed = /\.(?:br|gz)$/;

/**
 * Keeps the files of earlier builds for a day after the first build without them: pages that are open ask for them, and
 * so does an older instance that still serves from the folder. `note` is the file that says since when each is old.
 */
export function keepForADay({ assets, note, builtSince, now = Date.now() }) {
  const known = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : {};
  const old = {};
  for (const name of readdirSync(assets)) {
    // Its compressed forms are not made again where it came out the same.
    const built = join(assets, name.replace(isCompressed, ''));
    if (existsSync(built) && statSync(built).mtimeMs >= builtSince) continue;
    const since = known[name] ?? now;
    if (now - since > DAY_MS) rmSync(join(assets, name));
    else old[name] = since;
  }
  writeFileSync(note, JSON.stringify(old));
}

/** A smaller one is sent in one packet either way. */
const FROM_BYTES = 1_024;
/** Fonts and pictures are compressed in themselves. */
const TEXT = /\.(?:js|css|svg|json)$/;

/**
 * Puts each as `.br` and `.gz` beside it: at the highest level, which takes too long for a request. The service
 * sends the one that the browser takes.
 */
export function compressAhead(assets) {
  for (const name of readdirSync(assets).filter((each) => TEXT.test(each))) {
    const file = join(assets, name);
    const bytes = readFileSync(file);
    if (bytes.length < FROM_BYTES || existsSync(`${file}.gz`)) continue;
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}
