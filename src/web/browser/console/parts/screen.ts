import { signal } from '@preact/signals';

/** As wide as the style sheets take a phone to be. */
const phone = matchMedia('screen and (max-width: 720px)');

/** Whether the page has the layout of a phone. */
export const isPhone = signal(phone.matches);
phone.addEventListener('change', ({ matches }) => (isPhone.value = matches));
