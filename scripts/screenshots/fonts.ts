import { writeFile } from 'node:fs/promises';

/** The first of these that is installed is what the pages are set in. */
const FAMILIES = ['Inter', 'Noto Sans'];

/** A configuration of fontconfig in which the font of the system is a good one. It applies to the browser that is given its name. */
export async function writeFontConfig(file: string): Promise<void> {
  const prefer = FAMILIES.map((family) => `<string>${family}</string>`).join('');
  const rules = ['system-ui', 'sans-serif', 'sans'].map(
    (name) => `
  <match target="pattern">
    <test name="family"><string>${name}</string></test>
    <edit name="family" mode="prepend" binding="strong">${prefer}</edit>
  </match>`,
  );
  const head = '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">';
  await writeFile(
    file,
    `${head}\n<fontconfig>${rules.join('')}\n  <include>/etc/fonts/fonts.conf</include>\n</fontconfig>\n`,
  );
}
