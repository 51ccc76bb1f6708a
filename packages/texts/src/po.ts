import {
  type IcuNode,
  type PoFile,
  compareVariables,
  createItem,
  createPoFile,
  parseIcu,
  parsePo,
  stringifyPo,
  validateIcu,
} from 'pofile-ts';

/** Texts by id, in ICU message syntax. */
export type Messages = Readonly<Record<string, string>>;

/** The translations of a PO file by id, without missing and fuzzy ones: English is shown in their place. */
export function readPo(text: string): Messages {
  const done = parsePo(text).items.filter(
    ({ msgstr, flags, obsolete }) => msgstr[0] && !flags.fuzzy && !obsolete,
  );
  return Object.fromEntries(done.map(({ msgctxt, msgstr }) => [msgctxt ?? '', msgstr[0] ?? '']));
}

/**
 * The PO file of a language with exactly the texts of `english`, in their order. The id is the msgctxt and
 * the English text the msgid, so that the translator sees it. When the English text has changed, the
 * translation stays, is marked fuzzy and gets the old English text as a comment.
 */
export function refreshedPo(text: string, language: string, english: Messages): string {
  const old = text === '' ? newFile(language) : parsePo(text);
  const before = new Map(old.items.map((item) => [item.msgctxt, item]));
  const items = Object.entries(english).map(([id, message]) => {
    const item = before.get(id) ?? Object.assign(createItem(), { msgctxt: id, msgstr: [''] });
    if (item.msgid !== message && item.msgstr[0]) {
      item.flags.fuzzy = true;
      item.extractedComments = [`It was: ${item.msgid}`];
    }
    item.msgid = message;
    return item;
  });
  // The library writes every header that a PO file can have, most of them empty.
  const headers = Object.fromEntries(Object.entries(old.headers).filter(([, value]) => value));
  return `${stringifyPo({ ...old, headers, items }, { foldLength: 0 })}\n`;
}

function newFile(language: string): PoFile {
  const headers = {
    Language: language,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
    'X-Message-Syntax': 'ICU MessageFormat',
  };
  return { ...createPoFile(), headers, headerOrder: Object.keys(headers) };
}

/** Everything that is missing or wrong in a PO file, as sentences. */
export function mistakesInPo(text: string, language: string, english: Messages): string[] {
  const { items } = parsePo(text);
  const ids = new Set(items.map(({ msgctxt }) => msgctxt));
  const missing = Object.keys(english)
    .filter((id) => !ids.has(id))
    .map((id) => `${id} is not in the file`);
  const others = items.flatMap(({ msgctxt, msgid, msgstr, flags }) => {
    const id = msgctxt ?? '';
    const [translation = ''] = msgstr;
    if (english[id] === undefined) return [`${id} is no text any more`];
    if (english[id] !== msgid) return [`${id} shows another English text than the product`];
    if (translation === '') return [`${id} is not translated`];
    if (flags.fuzzy) return [`${id} was translated from another English text`];
    return mistakesInTranslation(msgid, translation, language).map((each) => `${id} ${each}`);
  });
  return [...missing, ...others];
}

function mistakesInTranslation(english: string, translation: string, language: string): string[] {
  const { valid, errors } = validateIcu(translation);
  if (!valid) return [`is no ICU message: ${errors.map(({ message }) => message).join(', ')}`];
  const { missing, extra } = compareVariables(english, translation);
  const plurals = [...pluralsOf(parseIcu(translation).ast ?? [])];
  const needed = pluralCategories(language);
  return [
    ...missing.map((name) => `lacks {${name}}`),
    ...extra.map((name) => `has {${name}}, which is given no value`),
    ...plurals.flatMap(({ value, options }) =>
      needed
        .filter((category) => !(category in options))
        .map((category) => `has no '${category}' in the plural of {${value}}`),
    ),
  ];
}

/** The plural categories of counts below 1000. French has one more, from a million. */
function pluralCategories(language: string): string[] {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 1000 }, (_, count) => rules.select(count)))];
}

type Plural = Extract<IcuNode, { type: 'plural' }>;

function* pluralsOf(nodes: readonly IcuNode[]): Generator<Plural> {
  for (const node of nodes) {
    if (node.type === 'plural') yield node;
    if ('options' in node)
      for (const { value } of Object.values(node.options)) yield* pluralsOf(value);
    if ('children' in node) yield* pluralsOf(node.children);
  }
}
