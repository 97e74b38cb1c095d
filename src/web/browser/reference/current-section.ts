import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The section at the top of the window. */
export function useCurrentSection(ids: readonly string[]): string | undefined {
  const current = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const look = () => {
      const passed = ids.filter(
        (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? 1e9) < 160,
      );
      current.value = passed.at(-1);
    };
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  return current.value;
}
