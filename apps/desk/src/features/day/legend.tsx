import type { ApiDaySheet } from '@clinic/contract';
import type { TypeShape } from '@clinic/domain';
import { classNames } from '@clinic/ui/class-names';
import { t } from '../../shared/words.ts';
import styles from './day.module.css';

type Type = NonNullable<ApiDaySheet['types']>[number];

/** A type that is on the sheet, and how often. */
export type Kind = Type & { readonly count: number };

interface LegendProps {
  kinds: readonly Kind[];
  /** The code of the type beside which the others are dimmed. */
  chosen: string | undefined;
  onChoose: (code: string | undefined) => void;
}

/** The types on the sheet with their signs. */
export function Legend({ kinds, chosen, onChoose }: LegendProps) {
  return (
    <div className={styles.legend} role="group" aria-label={t('desk.legend')}>
      {kinds.map(({ code, description, sign, count }) => (
        <button
          key={code}
          type="button"
          className={styles.kind}
          title={description}
          aria-pressed={code === chosen}
          onClick={() => onChoose(code === chosen ? undefined : code)}
        >
          <TypeSign sign={sign} />
          <span>
            {code} · {description}
          </span>
          <b>{count}</b>
        </button>
      ))}
    </div>
  );
}

const SHAPES: Readonly<Record<TypeShape, string>> = {
  circle: 'M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1',
  square: 'M1.5 1.5h9v9h-9z',
  triangle: 'M6 1l5.5 10H.5z',
  diamond: 'M6 .2L11.8 6 6 11.8.2 6z',
  ring: 'M6 .5a5.5 5.5 0 1 1 0 11A5.5 5.5 0 0 1 6 .5M6 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
  star: 'M6 .2l1.6 3.9 4.2.4-3.2 2.8 1 4.2L6 9.2l-3.6 2.3 1-4.2L.2 4.5l4.2-.4z',
  plus: 'M4.2.5h3.6v3.7h3.7v3.6H7.8v3.7H4.2V7.8H.5V4.2h3.7z',
  wedge: 'M6 11L.5 1h11z',
};

/** The sign of a type; nothing where the service does not say it. */
export function TypeSign({ sign }: Pick<Type, 'sign'>) {
  return (
    sign && (
      <svg
        className={classNames(styles.sign, styles[sign.hue])}
        viewBox="0 0 12 12"
        aria-hidden="true"
      >
        <path d={SHAPES[sign.shape]} />
      </svg>
    )
  );
}
