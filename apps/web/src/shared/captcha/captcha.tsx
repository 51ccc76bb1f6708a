import { Captcha as AnyCaptcha, type AnyCaptchaProps } from '@clinic/ui/captcha';
import { t } from '../../messages/t.ts';
import { clinicNow } from '@clinic/app/clock';
import { useConfig } from '../../api/config.ts';
import { callService } from '../../api/service.ts';
import './captcha-words.ts';

async function challenge(signal: AbortSignal): Promise<unknown> {
  const result = await callService('captchaChallenge', {}, { signal });
  return result.kind === 'answer' ? result.answer : null;
}

/** The clinic's captcha: our proof of work, or Google's if the configuration says so. */
export function Captcha(props: Omit<AnyCaptchaProps, 'words'>) {
  const captcha = useConfig()?.captcha;
  const words = {
    label: t('captcha.label'),
    checking: t('captcha.checking'),
    done: t('captcha.done'),
    failed: t('captcha.failed'),
  };
  return (
    <AnyCaptcha
      {...props}
      words={words}
      siteKey={captcha?.kind === 'recaptcha' ? captcha.siteKey : null}
      challenge={challenge}
      now={clinicNow}
    />
  );
}
