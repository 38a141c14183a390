// SPDX-License-Identifier: MIT
/*
 * salu.cc - scalar instructions SOP1, SOP2, SOPK, SOPC: operands are fetched, SCC and the result written here; what is
 * computed stands in rows/.
 */
#include "salu_special.h"
#include "scalar.h"

namespace silicon::SILICON_VARIANT {
namespace {

// clang-format off
template <char T> struct ScalarType { using type = u32; };
template <> struct ScalarType<'i'> { using type = s32; };
template <> struct ScalarType<'U'> { using type = u64; };
template <> struct ScalarType<'I'> { using type = s64; };
template <> struct ScalarType<'w'> { using type = u16; };
// clang-format on

template <char T> ALWAYS_INLINE auto source(const State &st, const Op *op, unsigned i)
{
	using Type = typename ScalarType<T>::type;

	if constexpr (width_of(T) == 2)
		return static_cast<Type>(scalar64(st, op, i));
	else
		return static_cast<Type>(scalar32(st, op, i));
}

/** One scalar instruction: Row::sig says what it reads and writes, Row::meaning what it computes. */
template <class Row> const Op *scalar(State &st, const Op *op)
{
	constexpr Signature sig = Row::sig;
	Wave &w = *st.w;
	const auto a = source<sig.source[0]>(st, op, 0);
	const auto b = source<(sig.sources > 1 ? sig.source[1] : 'u')>(st, op, sig.sources > 1 ? 1 : 0);
	bool scc = w.scc;

	if constexpr (sig.result == 'c') {
		w.scc = Row::meaning(w, a, b, 0u, scc);
	} else if constexpr (width_of(sig.result) == 2) {
		const u64 result = Row::meaning(w, a, b, st.sgpr64(op->dst), scc);

		w.scc = sig.scc_nonzero ? result != 0 : Row::facts.has(saves_exec) ? w.scc : scc;
		st.set_sgpr64(op->dst, result);
	} else {
		const u32 result = Row::meaning(w, a, b, st.sgpr(op->dst), scc);

		w.scc = sig.scc_nonzero ? result != 0 : Row::facts.has(saves_exec) ? w.scc : scc;
		w.sgpr[op->dst] = result;
	}
	return op + 1;
}

#define ROW(opcode, name, signature_text, cost, ...) \
	struct name##_row { \
		static constexpr Signature sig = signature(signature_text); \
		static constexpr Facts facts = cost; \
		template <class A, class B, class D> \
		static ALWAYS_INLINE auto meaning([[maybe_unused]] Wave &w, [[maybe_unused]] A a, [[maybe_unused]] B b, \
						  [[maybe_unused]] D d, [[maybe_unused]] bool &scc) \
		{ \
			[[maybe_unused]] const u64 exec = w.exec_pair(); \
			return __VA_ARGS__; \
		} \
	};
#define ROW_FN(...)
#include "../rows/sop1.def"
#include "../rows/sop2.def"
#include "../rows/sopc.def"
#include "../rows/sopk.def"
#undef ROW
#undef ROW_FN

} // namespace

#define ROW(opcode, name, ...)		     scalar<name##_row>,
#define ROW_FN(opcode, name, sig, cost, ...) __VA_ARGS__,
const ExecFn sop1_table[] = {
#include "../rows/sop1.def"
};
const ExecFn sop2_table[] = {
#include "../rows/sop2.def"
};
const ExecFn sopc_table[] = {
#include "../rows/sopc.def"
};
const ExecFn sopk_table[] = {
#include "../rows/sopk.def"
};
const ExecFn sopp_table[] = {
#include "../rows/sopp.def"
};

} // namespace silicon::SILICON_VARIANT
