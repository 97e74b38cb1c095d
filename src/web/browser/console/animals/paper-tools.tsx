import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { icon } from '../../shared/icons.tsx';
import { count } from '../parts/wording.ts';
import { downloadCsv, gathered, hasFailed, printAll, stopGathering } from './paper.ts';

/** Takes all matching animals to a spreadsheet or to paper. */
export function PaperTools(): JSX.Element {
  // The browser's own command would print what is loaded so far.
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void printAll();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
  const number = gathered.value;
  if (number !== undefined)
    return (
      <span class="paper-tools">
        <span role="status">{`${count(number)} so far…`}</span>
        <button type="button" class="button plain small" onClick={stopGathering}>
          Stop
        </button>
      </span>
    );
  return (
    <span class="paper-tools">
      {hasFailed.value ? (
        <span class="problem" role="alert">
          Not everything could be loaded. Try again.
        </span>
      ) : null}
      <button type="button" class="button plain small" onClick={() => void printAll()}>
        {icon('print')}
        Print
      </button>
      <button
        type="button"
        class="button plain small"
        aria-label="Download CSV"
        onClick={() => void downloadCsv()}
      >
        {icon('file')}
        CSV
      </button>
    </span>
  );
}
