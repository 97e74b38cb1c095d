import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { isExplained } from '../data/api.ts';
import type { Gathering } from '../data/csv.ts';
import { count } from '../data/text.ts';
import { shop } from '../session.ts';

/** Long after the browser has started to read the file. */
const READ_MS = 60_000;

interface CsvButtonProps {
  readonly gather: (gathering: Gathering) => Promise<string | undefined>;
  readonly fileName: () => string;
  readonly class?: string;
  /** The address of the list. When it changes, the file is no longer wanted. */
  readonly of: string;
}

/** Saves everything that matches as a file for spreadsheets, however much of it is on the page. Pressed again, it stops. */
export function CsvButton({ gather, fileName, of, class: look = 'button end' }: CsvButtonProps): JSX.Element {
  const gathered = useSignal<number | undefined>(undefined);
  const version = useSignal(0);
  const stop = () => {
    version.value++;
    gathered.value = undefined;
  };
  useEffect(() => stop, [of]);
  const save = async () => {
    const ours = ++version.value;
    const isWanted = () => ours === version.peek();
    const progress = (number: number) => {
      if (isWanted()) gathered.value = number;
    };
    progress(0);
    try {
      const text = await gather({ progress, isWanted });
      if (text !== undefined) download(fileName(), text);
    } catch (error) {
      if (!isExplained(error))
        shop().messages.say(
          'wrong',
          'The file could not be made: not everything could be loaded. Try again.',
        );
    }
    if (isWanted()) stop();
  };
  const number = gathered.value;
  return (
    <button type="button" class={look} data-csv onClick={number === undefined ? () => void save() : stop}>
      {number === undefined ? 'CSV' : `Stop (${count(number)})`}
    </button>
  );
}

/** Saves a text as a file among the person's downloads. */
function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS);
}
