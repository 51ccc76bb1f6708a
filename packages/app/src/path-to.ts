type Parameter<Page extends string> = Page extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameter<Rest>
  : Page extends `${string}:${infer Name}`
    ? Name extends `${infer Optional}?`
      ? Optional
      : Name
    : never;

/** The path to a page with parameters, and the query behind it. */
export function pathTo<Page extends string>(
  page: Page,
  params: Readonly<Record<Parameter<Page>, string>>,
  query: Readonly<Record<string, string>> = {},
): string {
  const path = page.replaceAll(/:(\w+)\??/g, (_, name: Parameter<Page>) =>
    encodeURIComponent(params[name]),
  );
  const search = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return [path, ...(search.length > 0 ? [search.join('&')] : [])].join('?');
}
