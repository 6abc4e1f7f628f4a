from .select_single cimport fill_roots, fill_widths

fill_roots(sqrt_log)
fill_widths(inverse_root)
