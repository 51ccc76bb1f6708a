/** What is fetched or under way, by the file's path below the app's address. */
const fetched: Record<string, Promise<void> | undefined> = {};

/**
 * Imports a part of the app once all of its files are in the browser's cache. A browser remembers for the life
 * of a page that an import failed, so that a part that could not be fetched once would never come.
 */
export async function fetchFirst<Part>(
  importPart: () => Promise<Part>,
  files: readonly string[] = [],
): Promise<Part> {
  await Promise.all(files.map((file) => (fetched[file] ??= bring(file))));
  return importPart();
}

async function bring(file: string): Promise<void> {
  const url = import.meta.env.BASE_URL + file;
  try {
    await (file.endsWith('.css') ? style(url) : cache(url));
  } catch (error) {
    fetched[file] = undefined;
    throw error;
  }
}

async function cache(url: string): Promise<void> {
  const answer = await fetch(url);
  if (!answer.ok) throw new TypeError(url);
  await answer.arrayBuffer();
}

async function style(href: string): Promise<void> {
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  document.head.append(link);
  await new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      reject(new TypeError(href));
    };
  });
}
