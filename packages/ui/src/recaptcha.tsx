import { useEffect, useRef, useState } from 'react';
import styles from './captcha.module.css';
import { CaptchaFailed } from './proof-of-work.tsx';
import type { AnyCaptchaProps } from './captcha-props.ts';
import { Spinner } from './spinner.tsx';

interface RecaptchaProps extends AnyCaptchaProps {
  siteKey: string;
}

/** In CSS pixels; the normal widget is 304 wide. */
const NARROW = 400;

/** Google's checkbox. Its script loads only here, and only when the configuration names a site key. */
export default function Recaptcha({ onProof, attempt, words, siteKey }: RecaptchaProps) {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const [round, setRound] = useState(0);

  // Google's script fills an element that React does not manage.
  useEffect(() => {
    let gone = false;
    const shown = document.createElement('div');
    place.current?.append(shown);
    const show = (widgets: Widgets) => {
      widgets.render(shown, {
        sitekey: siteKey,
        size: window.innerWidth < NARROW ? 'compact' : 'normal',
        callback: (proof) => onProof(proof),
        'expired-callback': () => onProof(null),
        'error-callback': () => setState('failed'),
      });
      setState('shown');
    };
    const start = async () => {
      setState('loading');
      onProof(null);
      const widgets = await loadRecaptcha().catch(() => null);
      if (gone) return;
      if (widgets === null) setState('failed');
      else show(widgets);
    };
    void start();
    return () => {
      gone = true;
      shown.remove();
    };
  }, [attempt, round, siteKey, onProof]);

  return (
    <div className={styles.captcha} role="group" aria-label={words.label}>
      {state === 'loading' && <Spinner label={words.checking} />}
      <div ref={place} hidden={state !== 'shown'} />
      {state === 'failed' && (
        <CaptchaFailed says={words.failed} onAgain={() => setRound(round + 1)} />
      )}
    </div>
  );
}

/** The part of https://developers.google.com/recaptcha/docs/display in use. */
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
// The script creates one `window.grecaptcha` for the page.
let loading: Promise<Widgets> | null = null;

/** Loads Google's script once; after a failure the next call tries again. */
function loadRecaptcha(): Promise<Widgets> {
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
