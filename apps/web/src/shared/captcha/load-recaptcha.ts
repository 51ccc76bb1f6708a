/** https://developers.google.com/recaptcha/docs/display, as far as it is used. */
export interface Widgets {
  ready(then: () => void): void;
  render(
    place: HTMLElement,
    options: {
      readonly sitekey: string;
      readonly size: 'normal' | 'compact';
      readonly callback: (proof: string) => void;
      readonly 'expired-callback': () => void;
      readonly 'error-callback': () => void;
    },
  ): number;
}

declare global {
  interface Window {
    grecaptcha?: Widgets;
  }
}

const SCRIPT = 'https://www.google.com/recaptcha/api.js?render=explicit&hl=en';
let loading: Promise<Widgets> | null = null;

/** Brings Google's script once; after a failure the next call tries again. */
export function loadRecaptcha(): Promise<Widgets> {
  loading ??= new Promise<Widgets>((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      loading = null;
      script.remove();
      reject(new Error('The script of the captcha did not come'));
    };
    script.src = SCRIPT;
    script.async = true;
    script.addEventListener('error', fail);
    script.addEventListener('load', () => {
      const widgets = window.grecaptcha;
      if (widgets === undefined) return fail();
      widgets.ready(() => resolve(widgets));
    });
    document.head.append(script);
  });
  return loading;
}
