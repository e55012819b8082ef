/**
 * The first date or number in words makes the browser read its tables of languages and zones, a tenth of a second on a slow phone. It
 * keeps them for all its threads: this one reads them while the page answers.
 */
new Intl.DateTimeFormat().format(0);
new Intl.NumberFormat().format(0);
self.close();
