import type { HtmlTagDescriptor, Plugin } from 'vite';

/** Adds a preload for one font to the built page; its hashed name is only known at the end. */
export function preloadFont(name: string): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }): HtmlTagDescriptor[] {
        const font = Object.keys(bundle).find((file) => file.includes(name));
        if (font === undefined) throw new Error(`No font named ${name} was built`);
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true };
        return [{ tag: 'link', attrs: { ...attrs, href: `/${font}` }, injectTo: 'head-prepend' }];
      },
    },
  };
}
