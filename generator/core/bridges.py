"""Writes the bridges. A bridge converts the arguments of a function, calls the runtime, and converts the results.

A parameter contributes up to four pieces of code: code before the call, the argument itself, code after every call, and
code after a successful call. The crossing of its kind decides which of these it has.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from . import cpp_types, processor
from .cpp_types import APP, RUN
from .model import ApiError, Function, Parameter


# The limits of keys and port names, with the error for a text that is too long. A program looks something up by such a
# text, so the text must not be cut.
_NAMES = {"MAX_INFO_KEY": "ERR_INFO_KEY", "MAX_PORT_NAME": "ERR_PORT"}


@dataclass
class Pieces:
    argument: str
    before: list[str] = field(default_factory=list)
    always: list[str] = field(default_factory=list)
    success: list[str] = field(default_factory=list)
    after_error: str = ""  # an object with a member finish_after_error()


def _scalar_rule(parameter: Parameter) -> str | None:
    """Returns the name of the function that converts one value of this kind for the runtime. It is called as
    NAME<P...>(value), where P is the pair of ABIs.
    """
    kind = parameter.kind
    return {
        "handle": f"to_run<P, object::{kind.object}>",
        "value": f"value_to_run<P, category_{kind.name}>",
        "bits": f"bits_to_run<P, category_{kind.name}>",
        "rank": "rank_to_run<P>",
        "tag": "tag_to_run<P>",
        "error_code": "code_to_run<P>",
        "raised_code": "raised_to_run<P>",
        "keyval": "keyval_to_run<P>",
        "in_place": "in_place_to_run<P>",
        "weights": "weights_to_run<P>",
        "view_offset": "view_offset_to_run<P>",
        "distribution_arg": "distribution_arg_to_run<P>",
        "all_handles": "all_handles_to_run<P>",
        "automatic": "automatic_to_run<P>",
    }.get(kind.crossing)


def _app_rule(parameter: Parameter) -> str | None:
    """Returns the name of the function that converts one integer of this kind for the program."""
    kind = parameter.kind
    return {
        "value": f"value_to_app<P, category_{kind.name}>",
        "bits": f"bits_to_app<P, category_{kind.name}>",
        "combiner": "combiner_to_app<P>",
        "rank": "rank_to_app<P>",
        "tag": "tag_to_app<P>",
        "error_code": "plain_code_to_app<P>",
        "keyval": "keyval_to_app<P>",
    }.get(kind.crossing)


def _handle_rule(function: Function, parameter: Parameter) -> str | None:
    """Returns the name of the function that converts a handle for the runtime. A constructor of datatypes has a separate
    rule for its input datatypes.
    """
    makes = {p.kind.object for p in function.parameters if p.direction == "out" and p.kind.crossing == "handle"}
    if parameter.kind.object == "datatype" and "datatype" in makes:
        return "component_to_run<P>"
    return _scalar_rule(parameter)


def _in_array(function: Function, parameter: Parameter) -> Pieces:
    rule = _handle_rule(function, parameter)
    name = parameter.name
    element = cpp_types.parameter_type(function, parameter, RUN).removeprefix("const ").removesuffix("*")
    element = element.replace("Run", "typename P::run")
    before = [
        f"array_in<{element}> {name}_({name}, {parameter.length});",
        f"if ({name}_.lacks_memory()) [[unlikely]]\n        return report_no_memory<P>();",
        f"{name}_.fill({name}, {parameter.length}, [](auto value) {{ return {rule}(value); }});",
    ]
    return Pieces(f"{name}_.argument()", before)


def _text(function: Function, parameter: Parameter) -> Pieces:
    """Returns the pieces for an output text, whose maximum length is a constant of the ABI. The next parameter may be the
    length of the text.
    """
    name, limit = parameter.name, f"mpi_{parameter.length}"
    after = function.parameters[function.parameters.index(parameter) + 1 :]
    length = after[0].name if after and after[0].kind.name == "length" else "nullptr"
    room = ", room_for_port<P>(info_)" if parameter.length == "MAX_PORT_NAME" else ""
    before = f"text_out<P::app::{limit}, P::run::{limit}> {name}_({name}{room});"
    refusal = _NAMES.get(parameter.length)
    refused = [f"if (!{name}_.fits()) [[unlikely]]\n        return error_to_app<P>(emulate::raise<typename P::run>(P::run::mpi_{refusal}));"]
    return Pieces(f"{name}_.argument()", [before], success=[*(refused if refusal else []), f"{name}_.finish({length});"])


def _out(function: Function, parameter: Parameter) -> Pieces:
    kind, name = parameter.kind, parameter.name
    if kind.name == "string" and (parameter.length or "").startswith("MAX_"):
        return _text(function, parameter)
    if kind.crossing in ("plain", "widened", "weights", "all_handles"):
        return Pieces(f"weights_to_run<P>({name})" if kind.crossing == "weights" else name)
    if kind.crossing == "in_place":  # a receive buffer that may also be MPI_IN_PLACE
        return Pieces(f"in_place_to_run<P>({name})")
    if kind.crossing == "automatic":
        return Pieces(name, success=[f"automatic_to_app<P>({name});"])
    if kind.crossing == "handle" and not parameter.is_array:
        finish = f"{name}_.finish();" if not parameter.nullable else f"if ({name} != nullptr)\n        {name}_.finish();"
        if parameter.direction == "inout":
            before = [f"handle_inout<P, object::{kind.object}> {name}_({name});"]
            if kind.object == "message":  # the receive frees the message, even if the receive fails
                return Pieces(f"{name}_.argument()", before, always=[finish])
            return Pieces(f"{name}_.argument()", before, success=[finish])
        if function.parameters.index(parameter) >= processor.argument_registers and not parameter.nullable:
            before = f"handle_out_on_stack<P, object::{kind.object}> {name}_{{{name}}};"
            return Pieces(f"{name}_.argument()", [before], success=[f"{name}_.result().finish();"], after_error=f"{name}_.result()")
        before = f"handle_out<P, object::{kind.object}> {name}_{{{name}}};"
        return Pieces(f"{name}_.argument()", [before], success=[finish], after_error=f"{name}_")
    if kind.crossing == "status" and not parameter.is_array:
        if parameter.direction == "inout":
            return Pieces(f"{name}_.argument()", [f"status_read<P> {name}_({name});"], success=[f"{name}_.finish();"])
        return Pieces(f"{name}_.argument()", [f"status_out<P> {name}_({name});"], always=[f"{name}_.finish();"])
    rule = _app_rule(parameter)
    if rule is None:
        raise ApiError(f"{function.name}: no rule for {parameter.name}:{kind.name} going out; write the function by hand")
    if parameter.is_array:
        loop = f"for (int i = 0; {name} != nullptr && i < {parameter.length}; ++i)\n        {name}[i] = {rule}({name}[i]);"
        return Pieces(name, success=[loop])
    return Pieces(name, success=[f"if ({name} != nullptr)\n        *{name} = {rule}(*{name});"])


def _pieces(function: Function, parameter: Parameter) -> Pieces:
    kind = parameter.kind
    if kind.crossing == "callback":
        raise ApiError(f"{function.name}: takes a callback; write the function by hand")
    if parameter.direction != "in":
        return _out(function, parameter)
    if kind.crossing == "status":
        return Pieces(f"{parameter.name}_.argument()", [f"status_read<P> {parameter.name}_({parameter.name});"])
    if kind.crossing in ("plain", "widened"):
        return Pieces(parameter.name)
    rule = _handle_rule(function, parameter)
    if rule is None:
        raise ApiError(f"{function.name}: no rule for {parameter.name}:{kind.name} going in; write the function by hand")
    if parameter.is_array and kind.crossing != "weights":
        return _in_array(function, parameter)
    if kind.crossing in ("rank", "tag"):
        return Pieces(parameter.name)  # the test of the sign converts it in place
    if kind.crossing == "handle":
        table = ", table" if _handles_in(function) > 1 else ""
        return Pieces(f"{parameter.name}_", [f"const word {parameter.name}_ = {rule}({parameter.name}{table});"])
    return Pieces(f"{rule}({parameter.name})")


def _handles_in(function: Function) -> int:
    """Returns the number of input handles, without handles in arrays."""
    return sum(p.kind.crossing == "handle" and p.direction == "in" and not p.is_array for p in function.parameters)


def _sign_test(function: Function) -> list[str]:
    """Writes one test for all ranks and tags of the call: whether any of them is negative. Only negative values need a
    conversion, and they are rare.
    """
    signed = [p for p in function.parameters if p.kind.crossing in ("rank", "tag") and p.direction == "in" and not p.is_array]
    if not signed:
        return []
    test = " | ".join(p.name for p in signed)
    lines = [f"if (({test}) < 0) [[unlikely]] {{" if len(signed) > 1 else f"if ({test} < 0) [[unlikely]] {{"]
    lines += [f"    {p.name} = {_scalar_rule(p)}({p.name});" for p in signed]
    return lines + ["}"]


def number(function: Function) -> str:
    """Writes a bridge that converts between a handle and its number. X_toint and X_c2f return the number of a handle;
    X_fromint and X_f2c return the handle for a number.
    """
    base, _, way = function.name.rpartition("_")
    parameter = function.parameters[0]
    to_number = way in ("toint", "c2f")
    obj = parameter.kind.object if to_number else function.result.object
    rule, helpers = ("number_of", ("c2f", "toint")) if to_number else ("object_of", ("f2c", "fromint"))
    helper = f"choose_numbering<P>({', '.join(f'target<P>.{base}_{name}' for name in helpers)})"
    head = f"template <class P>\n{cpp_types.result_type(function, APP)} {function.name}({cpp_types.declarations(function, APP)}) {{"
    return f"{head}\n    return {rule}<P, object::{obj}>({parameter.name}, {helper});\n}}\n"


@dataclass
class Operands:
    """The datatype and the operation of a call, and the window of an accumulation."""

    datatype: Parameter
    op: Parameter
    win: Parameter | None

    def found(self) -> str:
        if self.win is not None:
            return f"operands_of_accumulation<P>({self.datatype.name}, {self.op.name}, {self.win.name})"
        return f"operands_of_reduction<P>({self.datatype.name}, {self.op.name})"


def operands(function: Function) -> Operands | None:
    """Returns the operands of a reduction or an accumulation. If the call has several datatypes, the datatype of the target
    is the last one, and it is used.
    """
    single = [p for p in function.parameters if p.kind.crossing == "handle" and p.direction == "in" and not p.is_array]
    last = {p.kind.object: p for p in single}
    if "op" not in last or "datatype" not in last:
        return None
    return Operands(last["datatype"], last["op"], last.get("win"))


def bridge(function: Function) -> str:
    """Writes the bridge of a function. A function with operands gets two bridges."""
    found = operands(function)
    if found is None:
        return _bridge(function, function.name, "", [])
    arguments = ", ".join(p.name for p in cpp_types.fixed_parameters(function))
    leave = ["if constexpr (may_lack_integer16<P>)", f"    if (may_be_integer16<P>({found.datatype.name})) [[unlikely]]",
             f"        return {function.name}_at_end<P>({arguments});"]
    return _at_end(function, found) + "\n" + _bridge(function, function.name, "", leave)


def _at_end(function: Function, of: Operands) -> str:
    """Writes the second bridge, for a datatype that may be anympi's own MPI_INTEGER16. It passes an operation that supports
    this datatype to the runtime.
    """
    begin = [f"const operands<P> found = {of.found()};", "if (found.code != 0)", "    return error_to_app<P>(found.code);"]
    values = {of.datatype.name: "found.type", of.op.name: "found.op"}
    return _bridge(function, f"{function.name}_at_end", "[[gnu::cold, gnu::noinline]] ", begin, values)


def _bridge(function: Function, name: str, attributes: str, begin: list[str], values: dict[str, str] | None = None) -> str:
    """Writes one bridge. `begin` is the code at its start; `values` are arguments for the runtime that this code has found."""
    parts = [Pieces(values[p.name]) if values and p.name in values else _pieces(function, p) for p in cpp_types.fixed_parameters(function)]
    head = f"template <class P>\n{attributes}{cpp_types.result_type(function, APP)} {name}({cpp_types.declarations(function, APP)}) {{"
    call = f"target<P>.{function.name}({', '.join(p.argument for p in parts)})"
    body = begin + _sign_test(function)
    if function.callbacks:
        body.append("callback_error.code = 0; // errors of callbacks are returned from this call from now on")
    if any(", table)" in line for p in parts for line in p.before):
        body.append("const word* const table = predefined_table<P>();")
    body += [line for p in parts for line in p.before]
    if not function.returns_error_code:
        if any(p.always or p.success for p in parts):
            raise ApiError(f"{function.name}: results besides a value that is not an error code; write the function by hand")
        body.append(f"return {call};")
    else:
        body.append(f"const int code = {call};")
        body += [line for p in parts for line in p.always]
        outs = "".join(f", {p.after_error}" for p in parts if p.after_error)
        after = "_after_callbacks" if function.callbacks else ""
        body.append("if (is_error(code)) [[unlikely]]")
        body.append(f"    return finish_failed_call{after}<P>(code{outs});" if outs else f"    return error{after or '_to_app'}<P>(code);")
        body += [line for p in parts for line in p.success]
        if function.callbacks:
            body.append("callback_error.code = 0; // the runtime has ignored the callback's error")
        body.append("return success_code<P>(code);" if outs else "return code;")
    text = "\n".join("    " + line for line in body)
    return f"{head}\n{text}\n}}\n"
