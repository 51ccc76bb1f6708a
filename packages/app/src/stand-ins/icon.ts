import { type SVGProps, createElement } from 'react';

interface Shape {
  readonly name: string;
  readonly size?: number;
  readonly node: readonly (readonly [tag: string, attributes: Record<string, string>])[];
}

type Props = SVGProps<SVGSVGElement> & { readonly size?: number };

/** In place of Lucide's own, which also follows settings that nothing here gives: each page would load that. */
export default function createIcon({ name, size: own = 24, node }: Shape) {
  return ({ size = own, className, ...rest }: Props) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: `0 0 ${own} ${own}`,
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': isNamed(rest) ? undefined : true,
        className: ['lucide', `lucide-${name}`, className].filter(Boolean).join(' '),
        ...rest,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    );
}

const isNamed = (props: Props) =>
  ['aria-label', 'aria-labelledby', 'role'].some((name) => name in props);
