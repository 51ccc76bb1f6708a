import type { FormErrors } from '@clinic/app/form';
import { FieldGroup } from '@clinic/ui/field';
import { t } from '../../messages/t.ts';
import { Captcha } from './captcha.tsx';
import type { useCaptcha } from './use-captcha.ts';

interface CaptchaFieldProps {
  of: Pick<FormErrors<'recaptcha'>, 'idOf' | 'errorOf'>;
  captcha: ReturnType<typeof useCaptcha>;
}

/** The captcha as a form field, so that the form's error summary can link to it. */
export function CaptchaField({ of: form, captcha: { proof, props } }: CaptchaFieldProps) {
  const error = proof === null ? form.errorOf('recaptcha') : null;
  return (
    <FieldGroup label={t('captcha.label')} hideLegend id={form.idOf('recaptcha')} error={error}>
      {({ id }) => (
        <div id={id} tabIndex={-1}>
          <Captcha {...props} />
        </div>
      )}
    </FieldGroup>
  );
}
