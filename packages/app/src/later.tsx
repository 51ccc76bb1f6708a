import { type ComponentType, type ReactNode, useLayoutEffect, useState } from 'react';

interface Meanwhile {
  /** Stands in its place while its code is fetched. */
  waiting?: ReactNode;
  /** Stands in its place where its code is missing; without it, the error is thrown to the boundary around it. */
  Missing?: ComponentType;
}

/**
 * A part of the page whose code is fetched when it is first shown, or before that by `bring`; shown after that, it is
 * there at once. What could not be fetched is fetched again when it is shown the next time.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting = null, Missing }: Meanwhile = {},
) {
  let here: ComponentType<Props> | undefined;
  const bring = async () => (here ??= await load());
  function Later(props: Props) {
    // Chosen once: another component in its place would lose what was typed in it.
    const [Part, setPart] = useState(() => here);
    const [failed, setFailed] = useState<Error | null>(null);
    // The code comes from outside of React.
    useLayoutEffect(() => {
      if (!Part) bring().then((part) => setPart(() => part), setFailed);
    }, [Part]);
    if (Part) return <Part {...props} />;
    if (failed === null) return waiting;
    if (Missing) return <Missing />;
    throw failed;
  }
  return Object.assign(Later, { bring });
}
