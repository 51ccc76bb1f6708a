import { classNames } from '@clinic/ui/class-names';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../messages/t.ts';
import { createStore, useStore } from '@clinic/app/store';
import styles from './alerts.module.css';

type AlertKind = 'success' | 'error' | 'info';

interface Alert {
  readonly id: number;
  readonly kind: AlertKind;
  readonly text: string;
}

/** How long an alert stays; the time stops while the alert is hovered or focused. */
const ALERT_LIFETIME_MS = 10_000;

// Module state, as callers outside components announce answers too.
const alerts = createStore<readonly Alert[]>([]);
/** Tells an alert from the same words said again. */
let lastId = 0;

/** Adds a message to the list under the header. */
export function announce(kind: AlertKind, text: string): void {
  lastId += 1;
  const others = alerts.get().filter((alert) => alert.text !== text);
  alerts.set([...others, { id: lastId, kind, text }]);
}

export function clearAlerts(): void {
  alerts.set([]);
}

function close(id: number): void {
  alerts.set(alerts.get().filter((alert) => alert.id !== id));
}

/** The page's one live region; it must exist before anything is announced. */
export function AlertStack() {
  const list = useStore(alerts);
  return (
    <div className={styles.stack} role="log" aria-live="polite" aria-label={t('shell.messages')}>
      {list.map((alert) => (
        <AlertRow key={alert.id} alert={alert} />
      ))}
    </div>
  );
}

const icons = { success: CircleCheck, error: CircleAlert, info: Info };

function AlertRow({ alert: { id, kind, text } }: { alert: Alert }) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const left = useRef(ALERT_LIFETIME_MS);
  const paused = hovered || focused;

  // A timer, which stands still while somebody reads.
  useEffect(() => {
    if (paused) return;
    const since = performance.now();
    const timer = setTimeout(() => close(id), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - since;
    };
  }, [id, paused]);

  const Icon = icons[kind];
  return (
    <div
      className={classNames(styles.alert, styles[kind])}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Icon size={22} aria-hidden="true" />
      <p className={styles.text}>{text}</p>
      <button
        type="button"
        className={styles.close}
        aria-label={t('shell.closeMessage')}
        title={t('shell.closeMessage')}
        onClick={() => close(id)}
      >
        <X size={20} aria-hidden="true" />
      </button>
    </div>
  );
}
