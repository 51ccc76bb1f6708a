import { FieldGroup } from '@clinic/ui/field';
import { t } from '../../messages/t.ts';
import { Captcha, type CaptchaProps } from './captcha.tsx';

interface CaptchaFieldProps extends CaptchaProps {
  id: string;
  error: string | null;
}

/** The captcha as a form field, so that the form's error summary can link to it. */
export function CaptchaField({ id: given, error, ...captcha }: CaptchaFieldProps) {
  return (
    <FieldGroup label={t('captcha.label')} hideLegend id={given} error={error}>
      {({ id }) => (
        <div id={id} tabIndex={-1}>
          <Captcha {...captcha} />
        </div>
      )}
    </FieldGroup>
  );
}
