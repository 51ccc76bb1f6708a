import { ArrowLeft } from 'lucide-react';
import { t } from '../../messages/t.ts';
import { Button } from '../../shared/ui/button.tsx';
import styles from './messages.module.css';

export function BackButton({ onBack }: { onBack: () => void }) {
  return (
    <Button
      variant="quiet"
      className={styles.start}
      icon={<ArrowLeft size={18} aria-hidden="true" />}
      onClick={onBack}
    >
      {t('messages.back')}
    </Button>
  );
}
